/** The program that connects, as it says itself: its own name first, else that of its driver. */
export function programOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const { program_name: name, _client_name: driver, _client_version: version } = attributes
  const ofDriver = [driver, version].filter(Boolean).join(' ')
  if (name) return ofDriver ? `${name} (${ofDriver})` : name
  return ofDriver || undefined
}
