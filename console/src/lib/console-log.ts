/** For developers and support; users see nothing of it. Never hand it an address or a body: they hold tokens. */
export function logToConsole(message: string, detail?: unknown): void {
  // oxlint-disable-next-line no-console
  console.warn(message, detail ?? '')
}
