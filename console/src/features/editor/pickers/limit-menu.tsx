import { LIMITS, SELECT_LIMITS } from '@boathouse/contract/limits'
import '../../../i18n/pickers.ts'
import { t } from '../../../i18n/texts.ts'
import { MenuList } from '../../../ui/menu-list.tsx'
import { useEditorRuntime } from '../editor-runtime.ts'
import { limitWords } from './limit-words.ts'
import { useOpenPill } from './open-pill.ts'

const NONE = 'none'

/** How many rows a SELECT computes. */
export function LimitMenu({ tabId, limit }: { tabId: string; limit: string }) {
  const { store, clock } = useEditorRuntime()
  const value = limit || String(LIMITS.selectRows)
  const values = new Set([...SELECT_LIMITS.map(String), NONE, value])
  return (
    <MenuList
      {...useOpenPill()}
      label={t('pickers.limit')}
      beside={{ side: 'top', align: 'end' }}
      width={250}
      entries={[
        { kind: 'heading', label: t('pickers.limit') },
        {
          kind: 'choice',
          value,
          options: [...values].map((one) => ({ value: one, label: limitWords(one) })),
          onChange: (next) => store.chooseLimit(tabId, next, clock.now()),
        },
      ]}
    />
  )
}
