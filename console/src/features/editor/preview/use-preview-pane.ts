import { isBoolean, useKept } from '../../../lib/kept.ts'

export interface PreviewPane {
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** Whether first rows are shown beside the text; the next visit begins as this one ended. */
export function usePreviewPane(): PreviewPane {
  const [isOpen, keep] = useKept<boolean>('preview-open', false, isBoolean)
  return { isOpen, toggle: () => keep(!isOpen) }
}
