CREATE TABLE "product_draft" (
	"id" serial PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"step" text NOT NULL,
	"state" text NOT NULL,
	"content" jsonb NOT NULL,
	"refusal" jsonb,
	"asked_at" timestamp with time zone,
	"sync_product_id" bigint,
	"product_id" integer,
	"updated_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "product_draft_state_known" CHECK ("product_draft"."state" in ('open', 'creating', 'refused', 'published'))
);
--> statement-breakpoint
CREATE INDEX "product_draft_state_updated_at_index" ON "product_draft" USING btree ("state","updated_at");