import { pageHosts } from '../../lib/hosts.ts'
import type { Change } from '../../lib/recent-changes.ts'

/** A shell takes text in single quotes unchanged; a quote itself is written '\''. */
const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The same call from a shell, signed with the token of a login. */
export function httpCall({ address, toCentral, input }: Change): string {
  const host = toCentral ? pageHosts.central() : pageHosts.regional()
  return `TOKEN=          # of a login, as POST /api/user/login answers it
BODY=${inShell(JSON.stringify(input))}
NONCE=$(openssl rand -hex 16); TIMESTAMP=$(date +%s)000
SIGNATURE=$(printf '%s\\n%s\\n%s' "$NONCE" "$TIMESTAMP" "$BODY" |
  openssl dgst -sha256 -hmac "$TOKEN" -r | cut -d' ' -f1)
curl -s ${inShell(host + address)} -H 'content-type: application/json' -H "token: $TOKEN" \\
  -H "nonce: $NONCE" -H "timestamp: $TIMESTAMP" -H "signature: $SIGNATURE" -d "$BODY"`
}
