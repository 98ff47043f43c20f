import type { PipeFormat } from '@boathouse/contract/pipe'
import { t } from '../../../i18n/texts.ts'
import type { Problems } from '../../../ui/index.ts'

/** What is typed in the form. */
export interface PipeDraft {
  readonly name: string
  readonly tableName: string
  /** What its path begins with. */
  readonly source: string
  readonly files: string
  readonly format: PipeFormat
  readonly separator: string
  readonly skipped: string
  readonly warehouse: string
}

/** What can be changed later, too. */
export interface PipeSettingsDraft {
  readonly interval: string
  readonly onError: string
  readonly ratio: string
}

export const NEW_PIPE: PipeDraft = {
  name: '',
  tableName: '',
  source: '',
  files: '*.csv',
  format: 'csv',
  separator: ',',
  skipped: '0',
  warehouse: '',
}

export const NEW_SETTINGS: PipeSettingsDraft = { interval: '10', onError: 'continue', ratio: '0' }

const isWhole = (text: string, least: number, most: number): boolean =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

export const settingsProblems = ({ interval, ratio }: PipeSettingsDraft): Problems => ({
  interval: isWhole(interval, 1, 86_400) ? undefined : t('pipe.form.notSeconds'),
  ratio:
    ratio.trim() !== '' && Number(ratio) >= 0 && Number(ratio) <= 1 ? undefined : t('pipe.form.notRatio'),
})

export const draftProblems = (draft: PipeDraft): Problems => ({
  name: draft.name.trim() === '' ? t('pipe.form.nameMissing') : undefined,
  tableName: draft.tableName === '' ? t('pipe.form.tableMissing') : undefined,
  source: draft.source === '' ? t('pipe.form.sourceMissing') : undefined,
  files: draft.files.trim() === '' ? t('pipe.form.pathMissing') : undefined,
  skipped:
    draft.format !== 'csv' || isWhole(draft.skipped, 0, 1_000_000) ? undefined : t('pipe.form.notRows'),
})

export const propertiesOf = ({ interval, onError, ratio }: PipeSettingsDraft): Record<string, string> => ({
  poll_interval: interval.trim(),
  on_error: onError,
  max_filter_ratio: ratio.trim(),
})

export const optionsOf = ({ format, separator, skipped }: PipeDraft): Record<string, string> =>
  format === 'csv' ? { 'csv.column_separator': separator, 'csv.skip_header': skipped.trim() } : {}
