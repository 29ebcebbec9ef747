CREATE TABLE "blank" (
	"id" integer PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"brand" text,
	"model" text,
	"kind" text NOT NULL,
	"category_id" integer,
	"techniques" jsonb NOT NULL,
	"variant_count" integer NOT NULL,
	"discontinued_at" timestamp with time zone,
	"details" jsonb,
	"cost_from_cents" bigint,
	"cost_changed_at" timestamp with time zone,
	"fetched_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "blank_category" (
	"id" integer PRIMARY KEY NOT NULL,
	"parent_id" integer,
	"title" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "blank_category_id_index" ON "blank" USING btree ("category_id");