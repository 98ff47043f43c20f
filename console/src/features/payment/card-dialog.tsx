import '../../i18n/payment.ts'
import { org } from '@boathouse/contract/org'
import { payment } from '@boathouse/contract/payment'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { t } from '../../i18n/texts.ts'
import { queryKeyOf } from '../../lib/api.ts'
import { Button, Dialog, notify } from '../../ui/index.ts'
import { CardBinding } from './card-binding.tsx'

/** Adds a card, or puts another in its place, and closes. */
export function CardDialog({ hasCard, onClose }: { hasCard: boolean; onClose: () => void }) {
  const queries = useQueryClient()
  const bound = useCallback(() => {
    notify({ tone: 'ok', message: t('payment.added') })
    for (const call of [payment.overview, payment.listInvoices, org.detail])
      void queries.invalidateQueries({ queryKey: queryKeyOf(call) })
    onClose()
  }, [queries, onClose])
  return (
    <Dialog
      open
      onClose={onClose}
      title={hasCard ? t('payment.changeTitle') : t('payment.title')}
      closeOnClickOutside={false}
    >
      <CardBinding
        mode="cardOnly"
        onBound={bound}
        leave={<Button onClick={onClose}>{t('ui.cancel')}</Button>}
      />
    </Dialog>
  )
}
