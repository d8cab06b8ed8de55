/* Puts a drawing into the page; it is made by this package, and escapes what is not. */
export default function ({ data, parentElement }) {
  parentElement.querySelector(".okp").innerHTML = new TextDecoder().decode(data);
}
