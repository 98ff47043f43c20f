import { t } from '../../../i18n/texts.ts'

/** A number of rows as it is read, or that there is no limit. */
export const limitWords = (limit: string): string =>
  limit === 'none'
    ? t('editor.status.noLimit')
    : t('editor.status.limit', { rows: Number(limit).toLocaleString('en-US') })
