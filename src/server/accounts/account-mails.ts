import { randomUUID } from 'node:crypto'
import { peoplePaths } from '#contract/people-paths.ts'
import { paths } from '#contract/paths.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { LINK_TOKEN, mailLater } from '#server/mail/outbox.ts'
import { accountChangedMail, invitationMail, newPasswordMail, proofMail } from '#server/mail/templates/account.ts'
import type { Needs } from '#server/shop.ts'
import type { AccountRequest, User } from './store.ts'

type MailNeeds = Needs<'jobs' | 'config' | 'clock'>

/** Queues the email with the requested link; its token is created when the email is sent. */
export async function mailRequestLater(
  { jobs, config, clock }: MailNeeds,
  tx: Tx,
  { id, kind }: Pick<AccountRequest, 'id' | 'kind'>,
  { shownName: name }: User,
  email: string,
): Promise<void> {
  const publicUrl = baseUrlOf(config)
  // Browsers send nothing after the # to a server, so no log has the token.
  const mail =
    kind === 'password'
      ? newPasswordMail({ name, link: `${publicUrl}${paths.newPassword}#${LINK_TOKEN}` })
      : proofMail({ name, email, link: `${publicUrl}${paths.account}#${LINK_TOKEN}` })
  const recipient = { email, name }
  const about = `account-request-${id}`
  await mailLater(
    { jobs, config },
    tx,
    { kind: `account_${kind}`, recipient, orderId: null, about, ...mail },
    clock.now(),
  )
}

/** Queues the email with an invitation; its token is created when the email is sent. @param invitation `role`: its name */
export async function mailInvitationLater(
  { jobs, config, clock }: MailNeeds,
  tx: Tx,
  { id, ...invitation }: { id: number; email: string; role: string; inviter: string },
): Promise<void> {
  const mail = invitationMail({ ...invitation, link: `${baseUrlOf(config)}${peoplePaths.invitation}#${LINK_TOKEN}` })
  const recipient = { email: invitation.email, name: '' }
  const about = `account-request-${id}`
  await mailLater(
    { jobs, config },
    tx,
    { kind: 'account_invitation', recipient, orderId: null, about, ...mail },
    clock.now(),
  )
}

/** Emails a user about a change to the account, if it has an address. @param what such as `the password was changed` */
export async function mailAccountChangeLater(
  { jobs, config, clock }: MailNeeds,
  tx: Tx,
  user: Pick<User, 'shownName' | 'email'> | undefined,
  what: string,
): Promise<void> {
  if (!user?.email) return
  const mail = accountChangedMail({ name: user.shownName, what, link: `${baseUrlOf(config)}${paths.account}` })
  const recipient = { email: user.email, name: user.shownName }
  await mailLater(
    { jobs, config },
    tx,
    { kind: 'account_changed', recipient, orderId: null, about: randomUUID(), ...mail },
    clock.now(),
  )
}
