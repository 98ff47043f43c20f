import { account as accountCalls } from './account.ts'
import { alert } from './alert.ts'
import { assistant } from './assistant.ts'
import { audit } from './audit.ts'
import { budget } from './budget.ts'
import type { Call } from './call.ts'
import { cluster } from './cluster.ts'
import { csp } from './csp.ts'
import { dashboard } from './dashboard.ts'
import { diagnose } from './diagnose.ts'
import { commentCalls } from './editor-comments.ts'
import { snippetCalls } from './editor-snippets.ts'
import { editor as editorCalls } from './editor.ts'
import { embed } from './embed.ts'
import { firewall } from './firewall.ts'
import { home } from './home.ts'
import { iamRoleCalls } from './iam-roles.ts'
import { integration as integrationCalls } from './integration.ts'
import { key } from './key.ts'
import { lineage } from './lineage.ts'
import { load } from './load.ts'
import { log } from './log.ts'
import { metrics } from './metrics.ts'
import { org } from './org.ts'
import { payment } from './payment.ts'
import { perms } from './perms.ts'
import { pkg } from './pkg.ts'
import { pipe } from './pipe.ts'
import { query } from './query.ts'
import { quota } from './quota.ts'
import { region } from './region.ts'
import { resultWork } from './result-work.ts'
import { result as resultCalls } from './result.ts'
import { schedule } from './schedule.ts'
import { schema } from './schema.ts'
import { marketplace, signUpCalls } from './sign-up.ts'
import { sso } from './sso.ts'
import { usage } from './usage.ts'
import { addressCalls } from './user-addresses.ts'
import { loginCalls } from './user-logins.ts'
import { messageCalls } from './user-messages.ts'
import { passwordCalls } from './user-passwords.ts'
import { user as userCalls } from './user.ts'
import { vpce } from './vpce.ts'
import { warehouse } from './warehouse.ts'

/** In files of their own, so that the shell does not carry what few pages need. */
/** Comments are apart, since most pages that know queries do without them. */
const editor = { ...editorCalls, ...commentCalls, ...snippetCalls } as const
const integration = { ...integrationCalls, ...iamRoleCalls } as const
const account = { ...accountCalls, ...signUpCalls } as const
const result = { ...resultCalls, ...resultWork } as const
const task = { ...load, ...pipe } as const
const user = { ...userCalls, ...passwordCalls, ...addressCalls, ...loginCalls, ...messageCalls } as const

/** Everything the console and other clients can call, by module. */
export const contract = {
  account,
  alert,
  assistant,
  audit,
  budget,
  cluster,
  csp,
  dashboard,
  diagnose,
  editor,
  embed,
  firewall,
  home,
  integration,
  key,
  lineage,
  log,
  marketplace,
  metrics,
  org,
  payment,
  perms,
  pkg,
  query,
  quota,
  region,
  result,
  schedule,
  schema,
  sso,
  task,
  usage,
  user,
  vpce,
  warehouse,
} as const

export const allCalls = (): Call[] => Object.values(contract).flatMap((module) => Object.values<Call>(module))
