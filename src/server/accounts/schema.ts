import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { money, moment, namedMoment } from '#server/db/columns.ts'
import type { StaffRole } from '#domain/accounts/roles.ts'
import type { SessionId, UserId } from '#shared/ids.ts'

export const appUser = pgTable(
  'app_user',
  {
    id: serial().primaryKey().$type<UserId>(),
    /** The canonical form, which is unique; `shownName` is as typed. */
    username: text().notNull().unique(),
    shownName: text().notNull(),
    /** argon2id as a PHC string. */
    passwordHash: text().notNull(),
    /** In lower case; null until confirmed by an emailed link. */
    email: text().unique(),
    isPartner: boolean().notNull().default(false),
    /** Null for everybody who does not work here. */
    role: text().$type<StaffRole>(),
    /** For the release before roles: a trigger keeps it and `role` alike. */
    isOwner: boolean().notNull().default(false),
    createdAt: namedMoment(),
  },
  (t) => [
    index('staff')
      .on(t.role)
      .where(sql`${t.role} is not null`),
    check('app_user_role_known', sql`${t.role} in ('owner', 'books', 'fulfillment', 'support')`),
  ],
)

/** What an owner decides about a role; a row for each. */
export const staffRole = pgTable(
  'staff_role',
  {
    role: text().primaryKey().$type<StaffRole>(),
    /** Whether the admin stays closed to its people until they have a second factor. */
    requiresSecondFactor: boolean().notNull(),
    /** The most that its people refund of an order together, and each of them in 24 hours; null for roles without limits. */
    refundOrderMaxCents: money(),
    refundDayMaxCents: money(),
  },
  (t) => [
    check('staff_role_limits_together', sql`(${t.refundOrderMaxCents} is null) = (${t.refundDayMaxCents} is null)`),
    check('staff_role_limits_not_negative', sql`${t.refundOrderMaxCents} >= 0 and ${t.refundDayMaxCents} >= 0`),
  ],
)

export const session = pgTable(
  'session',
  {
    /** SHA-256 of the cookie, hex. */
    id: text().primaryKey().$type<SessionId>(),
    userId: integer()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** The session's public name, with which its user can end it from elsewhere. */
    handle: uuid().notNull().defaultRandom(),
    createdAt: namedMoment(),
    seenAt: namedMoment(),
    /** When `userId` signed in, and when they last entered their password. */
    signedInAt: moment(),
    confirmedAt: moment(),
    /** Such as `Firefox on Linux`; no other data about the device are stored. */
    device: text(),
    /** The user signed in here before, whose logins are limited apart from strangers' guesses. */
    formerUserId: integer()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'set null' }),
  },
  (t) => [
    // Partial: most sessions have no user, and every new cart inserts one.
    index('session_of_user')
      .on(t.userId)
      .where(sql`${t.userId} is not null`),
    index('session_of_former_user')
      .on(t.formerUserId)
      .where(sql`${t.formerUserId} is not null`),
    index().on(t.seenAt),
    index().on(t.createdAt),
  ],
)

/** The second factor (RFC 6238) of a person who works here: set up with `secret`, required once switched on. */
export const secondFactor = pgTable('second_factor', {
  userId: integer()
    .primaryKey()
    .$type<UserId>()
    .references(() => appUser.id, { onDelete: 'cascade' }),
  /** Base32. */
  secret: text().notNull(),
  startedAt: moment().notNull(),
  switchedOnAt: moment(),
  /** The interval of the last accepted code: a code works once. */
  lastStep: integer(),
})

/** Single-use codes for a person who lost the second factor. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    userId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** SHA-256, hex; fast hashing is fine for 80 random bits. */
    codeHash: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
)

/** `password`: set a new password. `email`: confirm an address. `invitation`: work here. */
const accountRequestKinds = ['password', 'email', 'invitation'] as const
export type AccountRequestKind = (typeof accountRequestKinds)[number]

/** A request that an emailed link completes. Unknown usernames get one too, so that timing gives nothing away. */
export const accountRequest = pgTable(
  'account_request',
  {
    id: serial().primaryKey(),
    kind: text().notNull().$type<AccountRequestKind>(),
    /** Null for an unknown username, and for an invitation. */
    userId: integer()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** The recipient; null for a password request, which looks it up later. */
    email: text(),
    /** Of an invitation: the role, and the owner who invited. */
    role: text().$type<StaffRole>(),
    invitedBy: integer()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [
    index().on(t.userId, t.kind, t.createdAt),
    index().on(t.expiresAt),
    check('account_request_kind_known', sql`${t.kind} in ('password', 'email', 'invitation')`),
    check(
      'account_request_invitation_whole',
      sql`${t.kind} <> 'invitation' or (${t.email} is not null and ${t.role} is not null and ${t.invitedBy} is not null)`,
    ),
    uniqueIndex('account_request_one_invitation')
      .on(t.email)
      .where(sql`${t.kind} = 'invitation'`),
  ],
)

/** The link of a request, created when its email is sent. */
export const accountLink = pgTable(
  'account_link',
  {
    /** SHA-256 of the link's token, hex; only the email has the token. */
    tokenHash: text().primaryKey(),
    requestId: integer()
      .notNull()
      .references(() => accountRequest.id, { onDelete: 'cascade' }),
  },
  (t) => [index().on(t.requestId)],
)
