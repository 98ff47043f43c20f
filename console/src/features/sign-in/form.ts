import { t } from '../../i18n/texts.ts'
import { type Rules, useForm } from '../../lib/form.ts'
import { refusalText } from './refusal.ts'

/** A form of somebody who is not signed in yet: the form itself is the only place to show them a message. */
export const useSignInForm = <V extends Readonly<Record<string, string>>>(initial: V, rules: Rules<V>) =>
  useForm(initial, rules, (refusal) => refusalText(refusal, t('signIn.noAnswer')))
