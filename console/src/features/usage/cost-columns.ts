import { t } from '../../i18n/texts.ts'
import type { TableColumn } from '../../ui/index.ts'

interface Cost {
  readonly usd: string
  readonly storageUsd: string
  readonly totalUsd: string
}

/** In a function: the texts of the page are there when it is shown. */
export const costColumns = <R extends Cost>(): TableColumn<R>[] => [
  { key: 'compute', header: t('usage.columns.compute'), align: 'end', cell: ({ usd }) => usd },
  { key: 'storage', header: t('usage.columns.storage'), align: 'end', cell: ({ storageUsd }) => storageUsd },
  { key: 'usd', header: t('usage.columns.usd'), align: 'end', cell: ({ totalUsd }) => totalUsd },
]
