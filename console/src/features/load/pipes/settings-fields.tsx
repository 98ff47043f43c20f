import { t } from '../../../i18n/texts.ts'
import { Select, TextField, type useProblems } from '../../../ui/index.ts'
import type { PipeSettingsDraft } from './pipe-draft.ts'

interface Props {
  readonly settings: PipeSettingsDraft
  readonly problems: ReturnType<typeof useProblems>
  readonly onChange: (settings: PipeSettingsDraft) => void
}

/** What can be set of a pipe, when it is made and later. */
export function SettingsFields({ settings, problems, onChange }: Props) {
  const { interval, onError, ratio } = settings
  return (
    <>
      <TextField
        {...problems.of('interval')}
        label={t('pipe.form.interval')}
        inputMode="numeric"
        value={interval}
        onChange={(event) => onChange({ ...settings, interval: event.target.value })}
      />
      <Select
        label={t('pipe.form.onError')}
        value={onError}
        options={(['continue', 'suspend'] as const).map((value) => ({
          value,
          label: t(`pipe.form.${value}`),
        }))}
        onChange={(value) => onChange({ ...settings, onError: value })}
      />
      <TextField
        {...problems.of('ratio')}
        label={t('pipe.form.ratio')}
        help={t('pipe.form.ratioHelp')}
        inputMode="decimal"
        value={ratio}
        onChange={(event) => onChange({ ...settings, ratio: event.target.value })}
      />
    </>
  )
}
