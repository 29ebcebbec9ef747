CREATE TABLE "legal_version" (
	"version" integer PRIMARY KEY NOT NULL,
	"page" text NOT NULL,
	"text" text NOT NULL,
	"published_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- What shoppers agreed to is kept as it was. The embedded database has one user, so a trigger enforces it instead of rights.
CREATE FUNCTION refuse_legal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'published versions of legal pages are kept as they are';
END $$;
--> statement-breakpoint
CREATE TRIGGER legal_version_append_only BEFORE UPDATE OR DELETE ON legal_version
  FOR EACH ROW EXECUTE FUNCTION refuse_legal_change();
--> statement-breakpoint
CREATE TRIGGER legal_version_is_shown AFTER INSERT
  ON legal_version FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
