import { alerts } from './en/alerts.ts'
import { access } from './en/access.ts'
import { account } from './en/account.ts'
import { activity } from './en/activity.ts'
import { asCode } from './en/as-code.ts'
import { audit } from './en/audit.ts'
import { catalog } from './en/catalog.ts'
import { chart } from './en/chart.ts'
import { comments } from './en/comments.ts'
import { comparison } from './en/comparison.ts'
import { dashboards } from './en/dashboards.ts'
import { diagnose } from './en/diagnose.ts'
import { editor } from './en/editor.ts'
import { embed } from './en/embed.ts'
import { embedded } from './en/embedded.ts'
import { firewall } from './en/firewall.ts'
import { grid } from './en/grid.ts'
import { guide } from './en/guide.ts'
import { home } from './en/home.ts'
import { integration } from './en/integration.ts'
import { kept } from './en/kept.ts'
import { keys } from './en/keys.ts'
import { load } from './en/load.ts'
import { notifications } from './en/notifications.ts'
import { palette } from './en/palette.ts'
import { payment } from './en/payment.ts'
import { pickers } from './en/pickers.ts'
import { pipe } from './en/pipe.ts'
import { privateLink } from './en/private-link.ts'
import { profile } from './en/profile.ts'
import { reference } from './en/reference.ts'
import { relogin } from './en/relogin.ts'
import { parameters } from './en/parameters.ts'
import { resultView } from './en/result-view.ts'
import { sharing } from './en/sharing.ts'
import { schedules } from './en/schedules.ts'
import { search } from './en/search.ts'
import { security } from './en/security.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { signIns } from './en/sign-ins.ts'
import { signUp } from './en/sign-up.ts'
import { snippets } from './en/snippets.ts'
import { statement } from './en/statement.ts'
import { statistics } from './en/statistics.ts'
import { tabMenu } from './en/tab-menu.ts'
import { together } from './en/together.ts'
import { ui } from './en/ui.ts'
import { usage } from './en/usage.ts'
import { assistant } from './en/assistant.ts'
import { errorHelp } from './en/error-help.ts'
import { pivot } from './en/pivot.ts'
import { preview } from './en/preview.ts'
import { versions } from './en/versions.ts'
import { warehouse } from './en/warehouse.ts'
import { writing } from './en/writing.ts'

/** Every sentence a user reads, by feature. */
export const en = {
  alerts,
  access,
  account,
  activity,
  asCode,
  audit,
  catalog,
  chart,
  comments,
  comparison,
  dashboards,
  diagnose,
  editor,
  embed,
  embedded,
  firewall,
  grid,
  guide,
  home,
  kept,
  integration,
  keys,
  load,
  notifications,
  palette,
  payment,
  pickers,
  pipe,
  privateLink,
  profile,
  reference,
  relogin,
  resultView,
  parameters,
  sharing,
  schedules,
  search,
  security,
  shell,
  signIn,
  signIns,
  signUp,
  snippets,
  statement,
  statistics,
  tabMenu,
  together,
  ui,
  usage,
  assistant,
  errorHelp,
  pivot,
  preview,
  versions,
  warehouse,
  writing,
}
