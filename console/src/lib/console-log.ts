/** For developers and support; users do not see it. Never pass an address or a body: they contain tokens. */
export function logToConsole(message: string, detail?: unknown): void {
  // oxlint-disable-next-line no-console
  console.warn(message, detail ?? '')
}
