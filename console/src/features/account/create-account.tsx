import { csp as cspCalls } from '@boathouse/contract/csp'
import { type AccountEngines, NewAccount, org } from '@boathouse/contract/org'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { ruleOf, useForm } from '../../lib/form.ts'
import { Button, Checkbox, notify, Refusal, Select, TextField } from '../../ui/index.ts'
import styles from './account.module.css'
import { FormDialog } from './form-dialog.tsx'
import { type Place, PlaceFields } from './place-fields.tsx'

const EMPTY = { name: '', adminName: '', adminEmail: '' }
const { name, adminName, adminEmail } = NewAccount.shape
const RULES = { name: ruleOf(name), adminName: ruleOf(adminName), adminEmail: ruleOf(adminEmail) }

export function CreateAccount({ onClose }: { onClose: () => void }) {
  const form = useForm(EMPTY, RULES)
  const [edition, setEdition] = useState<'lake' | 'standard'>('lake')
  const [place, setPlace] = useState<Place | null>(null)
  const regions = useCall(cspCalls.list, {}, { silent: true })
  const [engines, setEngines] = useState<AccountEngines>('both')
  const offered = useCall(org.detail, {}, { silent: true }).data?.engines ?? []
  const [sampleData, setSampleData] = useState(true)
  const create = useAction(org.createAccount, { silent: true, refreshes: [org.listAccount, org.detail] })
  const submit = form.onSubmit(async (texts) => {
    await create.mutateAsync({ ...texts, edition, sampleData, engines, ...place })
    notify({ tone: 'ok', message: t('account.create.done', { name: texts.name.trim() }) })
    onClose()
  })
  return (
    <FormDialog
      title={t('account.create.title')}
      width={520}
      onClose={onClose}
      onSubmit={submit}
      action={
        <Button variant="primary" type="submit" loading={form.working}>
          {t('account.create.submit')}
        </Button>
      }
    >
      <TextField
        {...form.field('name')}
        label={t('account.create.name')}
        help={t('account.create.nameHelp')}
        autoComplete="off"
        data-autofocus
      />
      <Select
        label={t('account.create.edition')}
        value={edition}
        onChange={(value) => setEdition(value === 'standard' ? 'standard' : 'lake')}
        options={[
          { value: 'lake', label: t('account.editions.lake') },
          { value: 'standard', label: t('account.editions.standard') },
        ]}
      />
      {edition === 'lake' && <p className={styles['notice']}>{t('account.create.upgrade')}</p>}
      <PlaceFields
        providers={regions.data?.providers}
        failed={regions.isError}
        place={place}
        onPlace={setPlace}
      />
      {offered.length > 0 && (
        <>
          <Select
            label={t('account.create.engines')}
            value={engines}
            onChange={(value) => setEngines(offered.find((one) => one === value) ?? 'both')}
            options={offered.map((value) => ({ value, label: t(`account.engines.${value}`) }))}
          />
          <p className={styles['notice']}>{t('account.create.enginesHelp')}</p>
        </>
      )}
      <TextField {...form.field('adminName')} label={t('account.create.admin')} autoComplete="off" />
      <TextField
        {...form.field('adminEmail')}
        type="email"
        label={t('account.create.email')}
        help={t('account.create.emailHelp')}
        autoComplete="off"
      />
      <Checkbox label={t('account.create.samples')} checked={sampleData} onChange={setSampleData} />
      <Refusal text={form.refused} />
    </FormDialog>
  )
}
