import { z } from 'zod'

/** An origin and nothing behind it. */
function originIn(text: string): string | null {
  if (!/^https?:\/\/[^\s?#*]+$/.test(text) || !URL.canParse(text)) return null
  const { origin, username, password, pathname } = new URL(text)
  const isBare = username + password === '' && pathname === '/'
  return isBare ? origin : null
}

/** A Hive metastore, always with its port. */
function metastoreIn(text: string): string | null {
  const [, scheme, place = ''] = /^(thrift(?:\+tls)?):\/\/([A-Za-z\d][A-Za-z\d.-]*:\d{1,5})$/.exec(text) ?? []
  return scheme !== undefined && URL.canParse(`http://${place}`) ? `${scheme}://${place.toLowerCase()}` : null
}

const listOf = (addressIn: (text: string) => string | null) =>
  z.string().transform((text, context): readonly string[] => {
    const addresses = text.split(',').map((one) => addressIn(one.trim()))
    const all = addresses.filter((address) => address !== null)
    if (all.length === addresses.length) return all
    context.addIssue({ code: 'custom', message: 'not a list of addresses' })
    return z.NEVER
  })

/** Addresses that may be in a closed network, or without TLS: of issuers of single sign-on and receivers of webhooks. */
export const WebEndpoints = listOf(originIn)

/** The same for catalogs, which may also be Hive metastores. */
export const CatalogEndpoints = listOf((text) => originIn(text) ?? metastoreIn(text))
