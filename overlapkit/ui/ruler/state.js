/* Offers what the ruler shows, and takes what it sends: by this, one short message is enough. */
export default function ({ data, parentElement, setTriggerValue }) {
  const offer = offerOf(parentElement, "overlapkit:ruler");
  offer.post({ state: JSON.parse(new TextDecoder().decode(data)), trigger: setTriggerValue });
  return offer.left();
}
