CREATE TABLE "legal_translation" (
	"id" serial PRIMARY KEY NOT NULL,
	"page" text NOT NULL,
	"language" text NOT NULL,
	"of_version" integer NOT NULL,
	"text" text NOT NULL,
	"signed_by" text NOT NULL,
	"signed_on" date NOT NULL,
	"withdrawn" boolean NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	CONSTRAINT "legal_translation_language_known" CHECK ("legal_translation"."language" in ('de', 'fr', 'es', 'ja'))
);
--> statement-breakpoint
CREATE INDEX "legal_translation_page_language_id_index" ON "legal_translation" USING btree ("page","language","id");--> statement-breakpoint
CREATE TRIGGER legal_translation_append_only BEFORE UPDATE OR DELETE ON legal_translation
  FOR EACH ROW EXECUTE FUNCTION refuse_legal_change();
--> statement-breakpoint
CREATE TRIGGER legal_translation_is_shown AFTER INSERT
  ON legal_translation FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
