import { expect, test } from 'vitest'
import { DAY_MS } from '#shared/time.ts'
import { readSaved, startSimulators } from '#sandbox/simulators.ts'
import { openWorld } from '#sandbox/world.ts'

test('a sandbox that is started again knows its payments, emails and parcels, and what was going on goes on', async () => {
  await using world = await openWorld()
  const { payment_intent: intent, returnsToShop } = await world.shopper().paysByCard()
  await returnsToShop()
  const payer = world.shopper()
  const order = await payer.approvesWallet()
  await payer.captures(order)
  await world.settled()
  const saved = world.simulators.save()

  const aheadMs = readSaved(saved).at.getTime() - Date.now()
  const next = await startSimulators({ speed: 0, firstPort: 0, folder: 'memory://', aheadMs })
  try {
    next.announceShop('http://127.0.0.1:1')
    next.load(saved)
    for (const provider of ['stripe', 'paypal', 'printful'] as const)
      expect(next[provider].ledger()).toEqual(world.simulators[provider].ledger())
    const { text = '' } = next.mailbox.list().find(({ to }) => to === payer.customer.email) ?? {}
    expect(text).toContain('http://127.0.0.1:1/order-confirmation?token=')
    expect(text).not.toContain(world.address)

    await next.stripe.change({ change: 'dispute', payment_intent: intent })
    await next.kit.clock.advance(6 * DAY_MS)
    expect(next.printful.ledger().shipments).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
    expect(world.simulators.printful.ledger().shipments).toEqual([])
  } finally {
    await next.close()
  }
})
