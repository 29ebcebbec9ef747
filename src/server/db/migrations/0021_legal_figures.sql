CREATE TABLE "legal_figures" (
	"version" integer PRIMARY KEY NOT NULL,
	"figures" jsonb NOT NULL,
	"since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER legal_figures_append_only BEFORE UPDATE OR DELETE ON legal_figures
  FOR EACH ROW EXECUTE FUNCTION refuse_legal_change();
--> statement-breakpoint
CREATE TRIGGER legal_figures_are_shown AFTER INSERT
  ON legal_figures FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
--> statement-breakpoint
-- Nobody kept the figures of what was agreed to before, so the next agreement is a new version.
INSERT INTO legal_figures (version, figures, since)
  SELECT coalesce((SELECT max(version) FROM legal_version), 1), '{}', now()
  WHERE EXISTS (SELECT FROM checkout WHERE terms_version IS NOT NULL);
