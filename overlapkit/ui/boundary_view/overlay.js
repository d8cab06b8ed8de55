/* Offers the settings to the views on the page. */
export default function ({ data, parentElement }) {
  const offer = offerOf(parentElement, "overlapkit:overlay");
  offer.post(JSON.parse(new TextDecoder().decode(data)));
  return offer.left();
}
