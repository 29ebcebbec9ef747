import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionUser } from '#contract/accounts.ts'
import type { SessionId, UserId } from '#shared/ids.ts'
import { DAY_MS, SECOND_MS } from '#shared/time.ts'

type FoundSession = {
  id: SessionId
  user: SessionUser | null
  /** Who was signed in here last, whoever is now. */
  formerUserId: UserId | null
  /** Whether the user's password was given here lately. */
  isFresh: boolean
}

/** The row of a session that does not exist yet. */
export type FreshSession = { id: SessionId; createdAt: Date; seenAt: Date }

/** What `accounts` lends to `http`, which may not import it: sessions by their cookie's token. */
export type Sessions = {
  find(token: string): Promise<FoundSession | undefined>
  /** @returns a new session, which exists once somebody writes its row */
  draw(): { token: string; row: FreshSession }
  /** @returns the new session's token, for the cookie */
  create(): Promise<{ token: string; id: SessionId }>
  /**
   * Gives the session a new id that is signed in (or out, with null); cart and checkouts move along.
   * @param userAgent what the browser calls itself
   */
  replace(
    old: SessionId | undefined,
    userId: UserId | null,
    userAgent?: string,
  ): Promise<{ token: string; id: SessionId }>
  /** Gives the session a new id and nothing else: who is signed in, since when, and when they proved it, all go on. */
  renew(old: SessionId): Promise<{ token: string; id: SessionId }>
}

/** What an operation may know of whoever asks. Sessions are looked up only when somebody wants to know, and made only by a write. */
export type Context = {
  session(): Promise<FoundSession | undefined>
  ensureSession(): Promise<SessionId>
  /**
   * For a write that is the first of most sessions, and makes theirs in the same statement.
   * @param write is given the session that there is, or the row of the one that it has to make; undefined: it wrote nothing
   */
  beginWith<Written>(
    write: (session: SessionId | FreshSession) => Promise<Written | undefined>,
  ): Promise<Written | undefined>
  signIn(userId: UserId): Promise<void>
  signOut(): Promise<void>
  /** A new cookie for the session that there is. */
  renewSession(): Promise<void>
  header(name: string, value: string): void
  /** The last click on a partner's link, as the browser remembers it; whoever needs it looks it up. */
  click: string | undefined
  ip: string
  requestId: string
  /** A client's name for what it wants to happen once. */
  idempotencyKey: string | undefined
  /** Where the browser thinks it is: `PUBLIC_URL`, or the request's own loopback host. */
  origin: string
}

/** The longest that a session lives; the server ends it sooner when nobody comes back. */
const COOKIE_LIFE_S = (365 * DAY_MS) / SECOND_MS

/** `__Host-` binds the cookie to this host and to TLS; browsers refuse it over plain http. */
export const sessionCookieName = (secure: boolean): string => (secure ? '__Host-session' : 'session')

export const clickCookieName = (secure: boolean): string => (secure ? '__Host-click' : 'click')

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
    ip: request.ip,
    requestId: request.id,
    idempotencyKey: request.headers['idempotency-key']?.toString(),
    origin: publicUrl ?? `http://${request.host}`,
  }
}
