const drawn = (parts: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#7a869a" stroke-width="1.5" stroke-linejoin="round">${parts}</svg>`,
  )}`

/** A machine with its lamp, in a grey that is seen on light and on dark. */
const MACHINE = drawn(
  '<rect x="2" y="2.5" width="12" height="5" rx="1"/><rect x="2" y="8.5" width="12" height="5" rx="1"/><path d="M4.5 5h.01M4.5 11h.01" stroke-linecap="round" stroke-width="2"/>',
)
const CLOUD = drawn('<path d="M4.5 12.5h7a3 3 0 0 0 .4-5.97 4 4 0 0 0-7.7-.9A3.5 3.5 0 0 0 4.5 12.5z"/>')

const NAMES: Readonly<Record<string, string>> = {
  local: 'This machine',
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'Google Cloud',
}

/** The logo is part of the entry: the console may be served by another host than the one that answers. */
export const providerOf = (cspId: string) => ({
  cspId,
  locales: { 'en-us': { name: NAMES[cspId] ?? cspId, logo: cspId === 'local' ? MACHINE : CLOUD } },
})
