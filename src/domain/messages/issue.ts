/** `scheduled`: is sent at its time. `sending`: some have it, others wait for their minute. */
export const issueStates = ['draft', 'scheduled', 'sending', 'sent'] as const
export type IssueState = (typeof issueStates)[number]

export type IssueEvent = 'write' | 'schedule' | 'unschedule' | 'send' | 'finish'

const moves: Readonly<Record<IssueState, Partial<Record<IssueEvent, IssueState>>>> = {
  draft: { write: 'draft', schedule: 'scheduled', send: 'sending' },
  scheduled: { unschedule: 'draft', send: 'sending' },
  sending: { finish: 'sent' },
  sent: {},
}

/** @returns undefined when the event is impossible in this state */
export const nextIssue = (state: IssueState, event: IssueEvent): IssueState | undefined => moves[state][event]

/** Subscribers who fit all of it; an empty one is everybody. What somebody bought is known by their email. */
export type Segment = {
  /** Bought something of this collection. */
  collection?: string | undefined
  /** Had something sent to this country. */
  country?: string | undefined
  /** Bought with a discount code. */
  withCode?: boolean | undefined
}

export const isEverybody = ({ collection, country, withCode }: Segment): boolean =>
  collection === undefined && country === undefined && !withCode
