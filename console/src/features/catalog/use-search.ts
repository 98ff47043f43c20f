import { useState } from 'react'
import { useSettled } from '../../lib/settled.ts'
import type { TableSort } from '../../ui/index.ts'
import { PAGE_SIZE, pageOf } from './list-frame.tsx'
import type { Shown } from './places.ts'

/** The request to the service, and the sorting that changes it. */
export function useSearchParam({ search = '', page }: Shown) {
  const [sort, setSort] = useState<TableSort>({ key: 'name', descending: false })
  const commonSearchParam = {
    orders: [{ col: 'name' as const, desc: sort.descending }],
    offset: (pageOf(page) - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
    search: useSettled(search),
  }
  return { commonSearchParam, sort, onSort: setSort }
}
