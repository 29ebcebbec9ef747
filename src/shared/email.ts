/** A single address without a display name: `nodemailer` would send to every address in a list. At most 254 characters count (RFC 5321). */
export const EMAIL_PATTERN =
  /^(?=.{3,254}$)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i
