CREATE TABLE "phone_order" (
	"id" serial PRIMARY KEY NOT NULL,
	"request_key" uuid NOT NULL,
	"session_id" text NOT NULL,
	"customer" jsonb NOT NULL,
	"pieces" jsonb NOT NULL,
	"click" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"canceled_at" timestamp with time zone,
	CONSTRAINT "phone_order_requestKey_unique" UNIQUE("request_key"),
	CONSTRAINT "phone_order_sessionId_unique" UNIQUE("session_id")
);
--> statement-breakpoint
CREATE INDEX "phone_order_expires_at_index" ON "phone_order" USING btree ("expires_at");