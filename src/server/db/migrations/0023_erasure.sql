CREATE TABLE "erasure" (
	"email" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "checkout_version_of_somebody" ON "checkout_version" USING btree ("frozen_at") WHERE frozen->'customer'->>'email' <> '';--> statement-breakpoint
CREATE INDEX "mail_with_words" ON "mail" USING btree ("created_at") WHERE "mail"."text_part" <> '';