import { createTransport } from 'nodemailer'
import { afterEach, expect, test } from 'vitest'

import { openKit } from '../kit/kit.ts'
import { startMailbox } from './mailbox.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function aMailbox() {
  const kit = openKit({ speed: 0 })
  const mailbox = await startMailbox(kit, { port: 0 })
  closing.push(
    () => mailbox.close(),
    () => kit.close(),
  )
  const transport = createTransport(mailbox.url)
  const send = (to: string, more: Record<string, unknown> = {}) =>
    transport.sendMail({
      from: 'care@pawtelier.example',
      to,
      subject: 'Your order K7QM-4T2X',
      text: 'Thank you, Ægir.',
      html: '<p>Thank you, Ægir.</p>',
      messageId: '<order-1-confirmation@pawtelier.example>',
      ...more,
    })
  return { kit, mailbox, send }
}

test('an email is stored with both its HTML and text parts', async () => {
  const { mailbox, send, kit } = await aMailbox()
  await send('ada@example.com')
  expect(mailbox.list()).toMatchObject([
    {
      id: '1',
      to: 'ada@example.com',
      from: 'care@pawtelier.example',
      subject: 'Your order K7QM-4T2X',
      messageId: '<order-1-confirmation@pawtelier.example>',
    },
  ])
  expect(mailbox.find('1')?.text.trim()).toBe('Thank you, Ægir.')
  expect(mailbox.find('1')?.html).toContain('<p>Thank you, Ægir.</p>')
  expect(mailbox.find('1')?.raw).toContain('Content-Type: multipart/alternative')
  expect(kit.log.witnessed()).toMatchObject([{ provider: 'smtp', kind: 'mail', data: { to: 'ada@example.com' } }])
})

test('the newest email comes first, and Bcc recipients are listed', async () => {
  const { mailbox, send } = await aMailbox()
  await send('ada@example.com')
  await send('ada@example.com', { bcc: 'eve@example.com', subject: 'Second' })
  expect(mailbox.list().map(({ subject, to }) => `${subject}: ${to}`)).toEqual([
    'Second: ada@example.com, eve@example.com',
    'Your order K7QM-4T2X: ada@example.com',
  ])
  mailbox.empty()
  expect(mailbox.list()).toEqual([])
})

test.each([
  ['bounce@example.com', 550],
  ['gray@example.com', 451],
])('%s is refused with %i', async (to, responseCode) => {
  const { mailbox, send } = await aMailbox()
  await expect(send(to)).rejects.toMatchObject({ responseCode })
  expect(mailbox.list()).toEqual([])
})

test('the next email to an address can be made to fail, once', async () => {
  const { mailbox, send } = await aMailbox()
  await mailbox.change({ change: 'fail_next', to: 'Ada@example.com', code: 550 })
  await send('bob@example.com')
  await expect(send('ada@example.com')).rejects.toMatchObject({ responseCode: 550 })
  await send('ada@example.com')
  expect(mailbox.list()).toHaveLength(2)
  await expect(mailbox.change({ change: 'explode' })).rejects.toThrow('fail_next')
  await expect(mailbox.change({ change: 'fail_next', to: 'a@example.com', code: 250 })).rejects.toThrow('not a refusal')
})

test('a test can wait for an email, before or after it arrives', async () => {
  const { mailbox, send } = await aMailbox()
  const coming = mailbox.arrival(({ to }) => to === 'ada@example.com')
  await send('bob@example.com')
  await send('ada@example.com')
  expect((await coming).id).toBe('2')
  expect((await mailbox.arrival(({ to }) => to === 'bob@example.com')).id).toBe('1')
})
