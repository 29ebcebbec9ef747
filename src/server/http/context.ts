import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionUser } from '#contract/accounts.ts'
import { deviceOf, isMachine, type Device } from '#domain/visits/visits.ts'
import type { Language } from '#shared/language.ts'
import type { SessionId, UserId } from '#shared/ids.ts'
import { DAY_MS, SECOND_MS } from '#shared/time.ts'
import { languageOfRequest } from './language.ts'

type FoundSession = {
  id: SessionId
  user: SessionUser | null
  /** The user who was signed in here before, even after a sign-out. */
  formerUserId: UserId | null
  /** Whether the user entered the password in this session recently. */
  isFresh: boolean
}

/** The row of a session that does not exist yet. */
export type FreshSession = { id: SessionId; createdAt: Date; seenAt: Date }

/** Sessions by their cookie's token. `accounts` implements it, because `http` may not import areas. */
export type Sessions = {
  find(token: string): Promise<FoundSession | undefined>
  /** @returns a new session, which exists once its row is inserted */
  draw(): { token: string; row: FreshSession }
  /** @returns the new session's token, for the cookie */
  create(): Promise<{ token: string; id: SessionId }>
  /**
   * Gives the session a new id, signed in (or out, with null); cart and checkouts move to it.
   * @param userAgent the browser's User-Agent header
   */
  replace(
    old: SessionId | undefined,
    userId: UserId | null,
    userAgent?: string,
  ): Promise<{ token: string; id: SessionId }>
  /** Gives the session a new id; the sign-in, its start and the last password check stay. */
  renew(old: SessionId): Promise<{ token: string; id: SessionId }>
}

/** What an operation may know about the requester. Sessions are looked up when needed, and created only by a write. */
export type Context = {
  session(): Promise<FoundSession | undefined>
  ensureSession(): Promise<SessionId>
  /**
   * For a write that is the first one of most sessions and creates the session in the same statement.
   * @param write gets the existing session's id, or the row to insert; undefined means it wrote nothing
   */
  beginWith<Written>(
    write: (session: SessionId | FreshSession) => Promise<Written | undefined>,
  ): Promise<Written | undefined>
  signIn(userId: UserId): Promise<void>
  signOut(): Promise<void>
  /** Sends the existing session a new cookie. */
  renewSession(): Promise<void>
  header(name: string, value: string): void
  /** The last click on a partner's link, from the browser's cookie; not yet looked up. */
  click: string | undefined
  /** Null for a bot, or without a user agent. */
  device: Device | null
  /** Of the page that asks. */
  language: Language
  ip: string
  requestId: string
  /** The client's key for an operation that must happen once. */
  idempotencyKey: string | undefined
  /** The shop's address for this browser: `PUBLIC_URL`, or the request's loopback host. */
  origin: string
}

/** Maximum lifetime of a session; the server ends unused ones sooner. */
const COOKIE_LIFE_S = (365 * DAY_MS) / SECOND_MS

/** `__Host-` binds the cookie to this host and to TLS; browsers refuse it over plain http. */
export const sessionCookieName = (secure: boolean): string => (secure ? '__Host-session' : 'session')

export const clickCookieName = (secure: boolean): string => (secure ? '__Host-click' : 'click')

function deviceOfRequest({ headers }: FastifyRequest): Device | null {
  const userAgent = headers['user-agent']
  return userAgent === undefined || isMachine(userAgent) ? null : deviceOf(userAgent)
}

export function createContext(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    sessions,
    publicUrl,
  }: {
    sessions: Sessions
    publicUrl: string | undefined
  },
): Context {
  const secure = publicUrl?.startsWith('https:') ?? false
  const name = sessionCookieName(secure)
  const token = request.cookies[name]
  let found: Promise<FoundSession | undefined> | undefined

  const session = () => (found ??= token && token.length <= 128 ? sessions.find(token) : Promise.resolve(undefined))
  const remember = ({ token: fresh }: { token: string }) => {
    reply.setCookie(name, fresh, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: COOKIE_LIFE_S })
    found = undefined
  }
  const begin = (made: { token: string; id: SessionId }) => {
    remember(made)
    found = Promise.resolve({ id: made.id, user: null, formerUserId: null, isFresh: false })
  }
  return {
    session,
    async ensureSession() {
      const present = await session()
      if (present) return present.id
      const made = await sessions.create()
      begin(made)
      return made.id
    },
    async beginWith(write) {
      const present = await session()
      if (present) return write(present.id)
      const { token: fresh, row } = sessions.draw()
      const written = await write(row)
      if (written !== undefined) begin({ token: fresh, id: row.id })
      return written
    },
    async signIn(userId) {
      remember(await sessions.replace((await session())?.id, userId, request.headers['user-agent']))
    },
    async signOut() {
      const present = await session()
      if (present?.user) remember(await sessions.replace(present.id, null))
    },
    async renewSession() {
      const present = await session()
      if (present) remember(await sessions.renew(present.id))
    },
    header(header, value) {
      reply.header(header, value)
    },
    click: request.cookies[clickCookieName(secure)],
    device: deviceOfRequest(request),
    language: languageOfRequest(request),
    ip: request.ip,
    requestId: request.id,
    idempotencyKey: request.headers['idempotency-key']?.toString(),
    origin: publicUrl ?? `http://${request.host}`,
  }
}
