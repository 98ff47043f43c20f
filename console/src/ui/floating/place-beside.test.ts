import { expect, test } from 'vitest'
import { placeBeside } from './place-beside.ts'

const window = { width: 1000, height: 600 }
const size = { width: 200, height: 100 }

test('is below its anchor, with aligned edges', () => {
  const anchor = { left: 400, top: 50, width: 80, height: 30 }
  expect(placeBeside(anchor, size, { side: 'bottom', align: 'start', window })).toEqual({
    left: 400,
    top: 84,
  })
  expect(placeBeside(anchor, size, { side: 'bottom', align: 'end', window })).toEqual({ left: 280, top: 84 })
  expect(placeBeside(anchor, size, { side: 'right', align: 'center', window })).toEqual({
    left: 484,
    top: 15,
  })
})

test('changes to the other side where there is no room', () => {
  const low = { left: 400, top: 560, width: 80, height: 30 }
  expect(placeBeside(low, size, { side: 'bottom', align: 'start', window })).toEqual({ left: 400, top: 456 })
  const right = { left: 900, top: 300, width: 80, height: 30 }
  expect(placeBeside(right, size, { side: 'right', align: 'start', window })).toEqual({ left: 696, top: 300 })
})

test('never leaves the window', () => {
  const corner = { left: 0, top: 0, width: 20, height: 20 }
  expect(placeBeside(corner, size, { side: 'bottom', align: 'end', window })).toEqual({ left: 8, top: 24 })
  const tall = { width: 200, height: 900 }
  expect(placeBeside(corner, tall, { side: 'bottom', align: 'start', window }).top).toBe(8)
})
