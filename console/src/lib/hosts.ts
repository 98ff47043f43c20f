/** Origins as in `https://eu-1.example.com`; the page's own unless the page names others. */
export interface Hosts {
  regional(): string
  central(): string
}

const fact = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

export const pageHosts: Hosts = {
  regional: () => fact('boathouse-regional-host') || window.location.origin,
  central: () => fact('boathouse-central-host') || window.location.origin,
}

/** `eu-1=https://eu-1.example.com us-1=…`, as the central server names the hosts of other regions. */
const namedIn = (regions: string, region: string): string | undefined =>
  regions
    .split(' ')
    .find((entry) => entry.startsWith(`${region}=`))
    ?.slice(region.length + 1)

/**
 * The origin at which users of a region sign in. The page of a region knows its own and the central one, which leads on to
 * every other; without further regions everybody signs in here.
 */
export function signInOrigin(region: string | null): string {
  const here = window.location.origin
  const own = fact('boathouse-region')
  if (region === null || own === '' || region === own) return here
  return namedIn(fact('boathouse-regions'), region) ?? pageHosts.central()
}
