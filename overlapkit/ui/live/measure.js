/* Offers the corpus as units and evidence to what follows a drag on this page. */
export default function ({ data, parentElement }) {
  const offer = offerOf(parentElement, "overlapkit:measure");
  const bytes = new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
  // The id names the content, so a run that changed nothing decodes nothing and tells nobody.
  if (offer.content?.id !== measureHeader(bytes).id) offer.post(decodeMeasure(bytes));
  return offer.left();
}
