CREATE TABLE "collection" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"former_slugs" text[] NOT NULL,
	"state" text NOT NULL,
	"publish_at" timestamp with time zone,
	"position" smallint NOT NULL,
	"in_menu" boolean NOT NULL,
	"on_home" boolean NOT NULL,
	"content" jsonb NOT NULL,
	"version" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "collection_slug_unique" UNIQUE("slug"),
	CONSTRAINT "collection_state_known" CHECK ("collection"."state" in ('draft', 'coming_soon', 'published', 'retired'))
);

--> statement-breakpoint
-- Menus, themes and addresses of all pages come from the collections.
CREATE TRIGGER collection_is_shown AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON collection FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
