/** Origins as in `https://eu-1.example.com`; the page's own unless the page names others. */
export interface Hosts {
  regional(): string
  central(): string
}

const named = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || window.location.origin

export const pageHosts: Hosts = {
  regional: () => named('boathouse-regional-host'),
  central: () => named('boathouse-central-host'),
}
