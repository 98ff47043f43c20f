/** The first that fits: browsers call themselves by the names of others too. */
const PROGRAMS = [
  ['Edge', /\bEdg\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /\b(?:Headless)?Chrome\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['Windows', /Windows/],
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** 'Firefox on Linux'; other programs by the first word that they say of themselves. Null when they say nothing. */
export function programOf(userAgent: string): string | null {
  const program = PROGRAMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0]
  if (program) return system ? `${program} on ${system}` : program
  return userAgent.split(/[\s/(]/, 1)[0] || null
}
