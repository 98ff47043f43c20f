/** A machine with its lamp, in a grey that is seen on light and on dark. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#7a869a" stroke-width="1.5" stroke-linejoin="round"><rect x="2" y="2.5" width="12" height="5" rx="1"/><rect x="2" y="8.5" width="12" height="5" rx="1"/><path d="M4.5 5h.01M4.5 11h.01" stroke-linecap="round" stroke-width="2"/></svg>`

/** The logo is part of the entry: the console may be served by another host than the one that answers. */
export const PROVIDERS = [
  {
    cspId: 'local',
    locales: { 'en-us': { name: 'This machine', logo: `data:image/svg+xml,${encodeURIComponent(LOGO)}` } },
  },
]
