import { IDENTITY_MESSAGES } from '@boathouse/contract/identity-messages'
import { COUNTRIES } from '@boathouse/contract/countries'
import { Email, isBusinessEmail } from '@boathouse/contract/mail-address'
import { encodePassword } from '@boathouse/contract/rules'
import { Company, Country, FirstName, LastName } from '@boathouse/contract/sign-up'
import type { SignUpForm as SignUp } from '@boathouse/contract/sign-up'
import { useMemo } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, PasswordField, Refusal, TextField } from '../../ui/index.ts'
import { Field } from '../../ui/field.tsx'
import { leaving } from '../../ui/leaving.ts'
import { ruleOf } from '../../lib/form.ts'
import { useSignInForm } from './form.ts'
import { PasswordParts, usePasswordRules } from './new-password.tsx'
import styles from './sign-up.module.css'

interface Props {
  /** As the service will judge it. */
  readonly businessMailOnly: boolean
  readonly submitLabel: string
  readonly onSubmit: (form: SignUp) => Promise<void>
}

const format = ruleOf(Email)

/** The form that all sign-ups share. */
export function SignUpForm({ businessMailOnly, submitLabel, onSubmit }: Props) {
  const { password } = usePasswordRules()
  const form = useSignInForm(
    { firstName: '', lastName: '', email: '', company: '', country: '', password: '' },
    {
      firstName: ruleOf(FirstName),
      lastName: ruleOf(LastName),
      email: (value, all) =>
        format(value, all) ??
        (businessMailOnly && !isBusinessEmail(value.trim()) ? IDENTITY_MESSAGES.notBusinessEmail : undefined),
      company: ruleOf(Company),
      country: ruleOf(Country),
      password,
    },
  )
  const chosen = form.field('password')
  return (
    <form
      className={styles['form']}
      onSubmit={form.onSubmit((values) =>
        onSubmit({ ...values, email: Email.parse(values.email), password: encodePassword(values.password) }),
      )}
      noValidate
    >
      <Refusal text={form.refused} />
      <div className={styles['pair']}>
        <TextField
          {...form.field('firstName')}
          label={t('signUp.firstName')}
          size="lg"
          autoComplete="given-name"
        />
        <TextField
          {...form.field('lastName')}
          label={t('signUp.lastName')}
          size="lg"
          autoComplete="family-name"
        />
      </div>
      <TextField
        {...form.field('email')}
        label={t('signUp.businessEmail')}
        help={businessMailOnly ? t('signUp.businessEmailHelp') : t('signUp.emailHelp')}
        size="lg"
        type="email"
        autoComplete="email"
      />
      <div className={styles['pair']}>
        <TextField
          {...form.field('company')}
          label={t('signUp.company')}
          size="lg"
          autoComplete="organization"
        />
        <CountryField {...form.field('country')} onChange={(code) => form.put('country', code)} />
      </div>
      <div>
        <PasswordField {...chosen} label={t('signIn.password')} size="lg" autoComplete="new-password" />
        <PasswordParts password={chosen.value} />
      </div>
      <Button type="submit" variant="primary" size="lg" fullWidth loading={form.working}>
        {submitLabel}
      </Button>
    </form>
  )
}

interface CountryProps {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly ref: (element: HTMLElement | null) => void
  readonly onLeft: () => void
  readonly onChange: (code: string) => void
}

/** The platform's own list: it knows the keyboard, the screen reader and the telephone. */
function CountryField({ name, value, error, ref, onLeft, onChange }: CountryProps) {
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames('en', { type: 'region' })
    return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
      a.name.localeCompare(b.name, 'en'),
    )
  }, [])
  return (
    <Field label={t('signUp.country')} error={error}>
      {(ids) => (
        <select
          {...ids}
          ref={ref}
          name={name}
          value={value}
          onBlur={leaving({ onLeft })}
          onChange={(event) => onChange(event.target.value)}
          className={styles['select']}
          autoComplete="country"
        >
          <option value="" disabled>
            {t('signUp.choose')}
          </option>
          {countries.map((country) => (
            <option key={country.code} value={country.code}>
              {country.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
