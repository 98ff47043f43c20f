/** SHELL-99: without React, which may be what failed. */
export function showStartFailure(place: Element, sentence: string): void {
  const alert = document.createElement('p')
  alert.setAttribute('role', 'alert')
  alert.style.cssText =
    'max-width: 60ch; margin: 15vh auto; padding: 0 24px; font: 14px/22px system-ui, sans-serif'
  alert.textContent = sentence
  place.replaceChildren(alert)
}
