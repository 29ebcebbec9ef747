import { expect, test } from 'vitest'
import { readMailReport, type ReportPart } from './bounce.ts'
import { issueStates, nextIssue, type IssueEvent } from './issue.ts'

const status = (action: string, code: string): ReportPart => ({
  type: 'message/delivery-status',
  text: `Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; fan@mail.example\r\nAction: ${action}\r\nStatus: ${code}\r\n`,
})
const complaint = (type: string): ReportPart => ({
  type: 'message/feedback-report',
  text: `Feedback-Type: ${type}\nUser-Agent: Example/1.0\nVersion: 1\n`,
})

test.each<[string, ReportPart[], string]>([
  ['an address that does not exist', [status('failed', '5.1.1')], 'bounced'],
  ['a delay', [status('delayed', '4.4.7')], 'other'],
  ['a failure that may pass', [status('failed', '4.4.7')], 'other'],
  ['a full mailbox', [status('failed', '5.2.2')], 'other'],
  ['a delivery', [status('delivered', '2.0.0')], 'other'],
  ['spam', [complaint('abuse')], 'complained'],
  ['no spam', [complaint('not-spam')], 'other'],
  ['words that look like a report', [{ type: 'text/plain', text: 'Action: failed\nStatus: 5.1.1' }], 'other'],
])('%s', (_, parts, expected) => expect(readMailReport(parts)).toBe(expected))

test('an issue changes its state only by the table', () => {
  const events: IssueEvent[] = ['write', 'schedule', 'unschedule', 'send', 'finish']
  expect(issueStates.map((state) => events.map((event) => nextIssue(state, event)))).toEqual([
    ['draft', 'scheduled', undefined, 'sending', undefined],
    [undefined, undefined, 'draft', 'sending', undefined],
    [undefined, undefined, undefined, undefined, 'sent'],
    [undefined, undefined, undefined, undefined, undefined],
  ])
})
