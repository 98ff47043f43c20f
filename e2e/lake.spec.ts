import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { comeIn, failure, newQuery, openEditor, resultRows, runSql } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { startProduct } from './product.ts'

test('from the web console somebody analyses files of a lake with SQL that the service runs [SHELL-01]', async ({
  page,
}) => {
  test.slow()
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-lake-'))
  // Engines may run as users of their own.
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'club', 'trips'), { recursive: true })
  await writeFile(join(folder, 'club', 'trips', 'march.csv'), 'boat,km\nheron,12\nswan,30\nheron,8\n')
  const product = await startProduct({ env: { BOATHOUSE_CATALOG_FOLDERS: `lake=${folder}` } })
  try {
    await comeIn(page, product)
    await openEditor(page)
    await newQuery(page)
    await runSql(page, `create external catalog lake properties ('type' = 'folder', 'folder' = 'lake')`)
    await expect(failure(page)).toHaveCount(0)
    await runSql(page, 'select boat, sum(km) as km from lake.club.trips group by boat order by boat')
    await expect
      .poll(() => resultRows(page))
      .toEqual([
        ['heron', '20'],
        ['swan', '30'],
      ])
  } finally {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
