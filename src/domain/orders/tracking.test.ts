import { expect, test } from 'vitest'
import { isMailed, readTracking } from './tracking.ts'

test.each([
  ['Arrived At Destination', 'arrived', null],
  ['Arrived at USPS Regional Facility, CHARLOTTE, NC', 'arrived', 'Charlotte, NC'],
  ['Departed FedEx location, FORT WORTH, TX 76177', 'departed', 'Fort Worth, TX'],
  ['Out for delivery, Austin, TX', 'out_for_delivery', 'Austin, TX'],
  ['Processed through facility in Leipzig, DE', 'departed', 'Leipzig, DE'],
  ['Delivery attempted - no access to delivery location', 'failed_attempt', null],
  ['Could not be delivered, Baden-Baden, DE', 'failed_attempt', 'Baden-Baden, DE'],
  ['Delivered, Front Door/Porch, AUSTIN, TX 78701', 'delivered', 'Austin, TX'],
  ['Returned to sender', 'returning', null],
  ['Available for pickup at the post office, Bastrop, TX', 'pickup', 'Bastrop, TX'],
  ['Shipping label created', 'announced', null],
  ['Customs clearance completed, Toronto, CA', 'customs', 'Toronto, CA'],
  ['Package is being processed by a robot', 'moving', null],
  ['', 'moving', null],
])('a carrier’s “%s” is %s', (description, step, place) => {
  expect(readTracking(description)).toMatchObject({ step, place })
})

test('the owner chooses which news of the carrier become emails', () => {
  expect(isMailed('failed_attempt', 'failed_attempt')).toBe(true)
  expect(isMailed('out_for_delivery', 'failed_attempt')).toBe(false)
  expect(isMailed('out_for_delivery', 'both')).toBe(true)
  expect(isMailed('failed_attempt', 'none')).toBe(false)
  expect(isMailed('arrived', 'both')).toBe(false)
})
