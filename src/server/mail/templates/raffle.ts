import { dateFormat } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { worded, paragraphs, type Block, type MailContent } from '../content.ts'

export type ToEntrant = {
  title: string
  /** To the entry. */
  link: string
  raffleLink: string
  /** The secret part of the entry's commitment. */
  code: string
  endsAt: Date
  drawAt: Date
  claimDays: number
}

const momentOf = (at: Date): string =>
  `${dateFormat({ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`

type RaffleMail = 'raffle_confirm' | 'raffle_entered' | 'raffle_won'

const raffleMail = (mail: RaffleMail, to: ToEntrant, button: string, more: readonly Block[] = []): MailContent =>
  worded(
    mail,
    { raffle: to.title, ends: momentOf(to.endsAt), draw: momentOf(to.drawAt), 'claim-days': String(to.claimDays) },
    ({ subject, title, greeting, opening, closing }) => ({
      ...{ subject, title, preheader: opening },
      blocks: [
        ...paragraphs(greeting),
        ...paragraphs(opening),
        { kind: 'button', text: button, url: to.link },
        ...more,
        ...paragraphs(closing),
      ],
    }),
  )

/** Double opt-in: anybody can type anybody's address. */
export const raffleConfirmMail = (to: ToEntrant): MailContent =>
  raffleMail('raffle_confirm', to, say('Confirm my entry'))

export const raffleEnteredMail = (to: ToEntrant): MailContent =>
  raffleMail('raffle_entered', to, say('See or withdraw my entry'), [
    {
      kind: 'facts',
      facts: [
        [say('Your code'), to.code],
        [say('The raffle'), to.raffleLink],
      ],
    },
  ])

export const raffleWonMail = (to: ToEntrant): MailContent => raffleMail('raffle_won', to, say('Claim my prize'))
