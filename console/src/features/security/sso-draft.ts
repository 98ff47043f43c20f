import type { SsoSettings } from '@boathouse/contract/sso'

/** What was typed and not saved. The secret is never kept. */
interface SsoDraft {
  readonly issuer: string
  readonly clientId: string
  readonly enabled: boolean
}

/** Whose form it is, and its initial values: it starts again when another user has changed the settings. */
export interface SsoFormOf {
  readonly accountId: string
  readonly user: string
  readonly settings: SsoSettings | null
}

let kept: { readonly of: string; readonly draft: SsoDraft } | null = null

const keyOf = ({ accountId, user, settings }: SsoFormOf): string =>
  JSON.stringify([accountId, user, settings?.issuer, settings?.clientId, settings?.enabled])

const saved = (settings: SsoSettings | null): SsoDraft => ({
  issuer: settings?.issuer ?? '',
  clientId: settings?.clientId ?? '',
  enabled: settings?.enabled ?? true,
})

/** Kept in this window while one looks at another page, until it is saved. */
export const ssoDraft = {
  of: (form: SsoFormOf): SsoDraft => (kept?.of === keyOf(form) ? kept.draft : saved(form.settings)),
  keep: (form: SsoFormOf, draft: SsoDraft): void => {
    kept = { of: keyOf(form), draft }
  },
}
