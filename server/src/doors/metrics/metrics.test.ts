import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

test('the metrics say whether engines are kept apart by users of their own', async () => {
  const app = await startApp()
  expect((await app.http.inject('/metrics')).body).toContain('\nboathouse_engine_isolation 0\n')
})
