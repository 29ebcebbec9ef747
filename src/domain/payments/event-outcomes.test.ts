import { expect, test } from 'vitest'
import { outcomeLabel } from './event-outcomes.ts'

test.each([
  [null, 'Not processed yet.'],
  ['order K7QM-4T2X', 'Paid order PFK7QM-4T2X.'],
  ['exception second_payment', 'Listed under Exceptions: Second payment.'],
  ['partially_refunded', 'Partly refunded.'],
  ['inprocess', 'The printer is making it.'],
  ['nothing new', 'Nothing changed.'],
  // A provider's own code.
  ['INSTRUMENT_DECLINED', 'Result: instrument declined.'],
])('the owner reads the event outcome %j as: %s', (outcome, label) => {
  expect(outcomeLabel(outcome)).toBe(label)
})
