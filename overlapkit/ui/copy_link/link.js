// Copies the address bar, in which the settings stand.
const SAID_FOR = 4000; // ms

export default function ({ parentElement }) {
  const button = parentElement.querySelector(".okl-button");
  const said = parentElement.querySelector(".okl-said");
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = "Copied.";
    } catch {
      // Pages that are not served securely may not write to the clipboard.
      said.textContent = "Copy it from the address bar.";
    }
    clearTimeout(button.timer);
    button.timer = setTimeout(() => (said.textContent = ""), SAID_FOR);
  };
}
