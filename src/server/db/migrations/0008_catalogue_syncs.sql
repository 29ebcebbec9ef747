CREATE TABLE "catalogue_change" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"sync_id" integer NOT NULL,
	"product_id" integer NOT NULL,
	"variant_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"margin_before_cents" bigint,
	"margin_after_cents" bigint,
	"state" text NOT NULL,
	"decided_at" timestamp with time zone NOT NULL,
	CONSTRAINT "catalogue_change_kind_known" CHECK ("catalogue_change"."kind" in ('new', 'gone', 'price', 'cost', 'picture', 'details', 'upkeep', 'sold_out', 'discontinued', 'back_in_stock')),
	CONSTRAINT "catalogue_change_state_known" CHECK ("catalogue_change"."state" in ('applied', 'waiting', 'declined', 'reverted', 'superseded'))
);
--> statement-breakpoint
CREATE TABLE "catalogue_sync" (
	"id" serial PRIMARY KEY NOT NULL,
	"trigger" text NOT NULL,
	"whole" boolean NOT NULL,
	"state" text NOT NULL,
	"products" integer DEFAULT 0 NOT NULL,
	"variants" integer DEFAULT 0 NOT NULL,
	"remarks" text[] NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"told_at" timestamp with time zone,
	CONSTRAINT "catalogue_sync_trigger_known" CHECK ("catalogue_sync"."trigger" in ('import', 'schedule', 'event', 'owner')),
	CONSTRAINT "catalogue_sync_state_known" CHECK ("catalogue_sync"."state" in ('running', 'done', 'not_believed', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "variant" ADD COLUMN "blank_id" bigint;--> statement-breakpoint
ALTER TABLE "variant" ADD COLUMN "cost_cents" bigint;--> statement-breakpoint
ALTER TABLE "catalogue_change" ADD CONSTRAINT "catalogue_change_sync_id_catalogue_sync_id_fk" FOREIGN KEY ("sync_id") REFERENCES "public"."catalogue_sync"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalogue_change" ADD CONSTRAINT "catalogue_change_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "catalogue_change_sync_id_index" ON "catalogue_change" USING btree ("sync_id");--> statement-breakpoint
CREATE INDEX "catalogue_change_remembered" ON "catalogue_change" USING btree ("product_id") WHERE "catalogue_change"."state" in ('waiting', 'declined', 'reverted');--> statement-breakpoint
CREATE INDEX "catalogue_sync_started_at_index" ON "catalogue_sync" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "variant_blank_id_index" ON "variant" USING btree ("blank_id");--> statement-breakpoint
ALTER TABLE "variant" ADD CONSTRAINT "variant_cost_not_negative" CHECK ("variant"."cost_cents" >= 0);