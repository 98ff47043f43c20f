import { t } from '../../i18n/texts.ts'
import { type Rules, useForm } from '../../lib/form.ts'
import { refusalText } from './refusal.ts'

/** A form of somebody who is not signed in yet: there is nothing but its own place to tell them. */
export const useSignInForm = <V extends Readonly<Record<string, string>>>(initial: V, rules: Rules<V>) =>
  useForm(initial, rules, (refusal) => refusalText(refusal, t('signIn.noAnswer')))
