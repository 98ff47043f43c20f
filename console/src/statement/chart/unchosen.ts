import type { ChartSettings } from '@boathouse/contract/editor'

/** Which columns are drawn is chosen once they are known. */
export const UNCHOSEN: ChartSettings = {
  kind: 'bar',
  x: '',
  y: [],
  by: '',
  aggregate: 'none',
  grain: 'none',
  stack: 'none',
  isHorizontal: false,
  overlay: 'none',
  order: 'rows',
  top: 0,
  format: 'short',
  shown: false,
}
