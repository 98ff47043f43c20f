import { z } from 'zod'

/** An origin and nothing behind it. */
function originIn(text: string): string | null {
  const trimmed = text.trim()
  if (!/^https?:\/\/[^\s?#*]+$/.test(trimmed) || !URL.canParse(trimmed)) return null
  const { origin, username, password, pathname } = new URL(trimmed)
  const isBare = username + password === '' && pathname === '/'
  return isBare ? origin : null
}

/** Addresses that catalogs, or issuers of single sign-on, may be at although they are in a closed network, or without TLS. */
export const CatalogEndpoints = z.string().transform((text, context): readonly string[] => {
  const origins = text.split(',').map(originIn)
  const all = origins.filter((origin) => origin !== null)
  if (all.length === origins.length) return all
  context.addIssue({ code: 'custom', message: 'not a list of addresses' })
  return z.NEVER
})
