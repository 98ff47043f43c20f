import { expect, test, vi } from 'vitest'
import { createEditorStore } from '../tabs/editor-store.ts'
import type { SaveState } from '../tabs/editor-tab.ts'
import { createRunMarks } from './mark-run.ts'

const TAB = '11111111-1111-4111-8111-111111111111'

function openTab(save: SaveState, isSample = false) {
  const store = createEditorStore()
  const place = { parentFolderName: '', catalog: '', database: '', hidden: false, active: true }
  const settings = { chart: null, parameters: [], access: 'own' as const, owner: 'ann' }
  store.open(
    { tabId: TAB, tabName: 'Rowers', sql: 'select 1', revision: 3, sample: isSample, ...place, ...settings },
    { save },
  )
  const mark = vi.fn<(run: { tabId: string; revision: number }) => Promise<unknown>>(async () => ({}))
  const flush = vi.fn<() => Promise<void>>(async () => {})
  return { store, mark, flush, ...createRunMarks({ store, saver: { flush }, mark }) }
}

test('the text that was run is marked once it is saved', async () => {
  const { store, mark, flush, markRun } = openTab('unsaved')
  const marked = markRun(TAB)
  expect(flush).toHaveBeenCalledOnce()
  store.setText(TAB, { save: 'saving' })
  expect(mark).not.toHaveBeenCalled()
  store.setText(TAB, { save: 'saved', revision: 4 })
  await marked
  expect(mark).toHaveBeenCalledExactlyOnceWith({ tabId: TAB, revision: 4 })
})

test('a text that was changed since, or cannot be saved, is not marked', async () => {
  const changed = openTab('unsaved')
  const marked = changed.markRun(TAB)
  changed.store.setText(TAB, { sql: 'select 2', save: 'saved', revision: 5 })
  await marked
  expect(changed.mark).not.toHaveBeenCalled()
  const local = openTab('local')
  await local.markRun(TAB)
  expect(local.mark).not.toHaveBeenCalled()
})

test('a sample is not marked, and a mark that fails ends nothing', async () => {
  const sample = openTab('saved', true)
  await sample.markRun(TAB)
  expect(sample.mark).not.toHaveBeenCalled()
  const failing = openTab('saved')
  failing.mark.mockRejectedValue(new Error('no connection'))
  await expect(failing.markRun(TAB)).resolves.toBeUndefined()
})
